/**
 * Reads the pickles that torch.save writes for a state dict, without running anything: classes and functions stay
 * names, and a call is kept as its name and arguments. Opcodes: CPython's Lib/pickletools.py.
 */

/** A call that the pickle asks for, a class it names (no arguments), or an object kept outside of it. */
export class PickledCall {
  constructor(readonly name: string, readonly args: readonly unknown[] = []) {}
}

/** Name of a reference to an object outside of the pickle. */
export const PERSISTENT = "persistent";

/** The value of a pickle: dicts and OrderedDicts are Maps, tuples and lists arrays. Throws Error for an unknown opcode. */
export function readPickle(bytes: Uint8Array<ArrayBuffer>): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const stack: unknown[] = [];
  const marks: number[] = [];
  const memo = new Map<number, unknown>();
  let at = 0;
  const byte = () => view.getUint8(at++);
  const word = () => view.getUint32((at += 4) - 4, true);
  const text = (length: number) => new TextDecoder().decode(bytes.subarray(at, at += length));
  const line = () => {
    const end = bytes.indexOf(10, at);
    if (end === -1) throw new RangeError("the pickle is cut off");
    const words = text(end - at);
    at++;
    return words;
  };
  const sinceMark = () => stack.splice(marks.pop() ?? 0);
  for (;;) {
    const opcode = byte();
    switch (opcode) {
      case 0x80: // PROTO
        at++;
        break;
      case 0x28: // MARK
        marks.push(stack.length);
        break;
      case 0x2e: // STOP
        return stack.pop();
      case 0x4e: // NONE
        stack.push(null);
        break;
      case 0x88: // NEWTRUE
      case 0x89: // NEWFALSE
        stack.push(opcode === 0x88);
        break;
      case 0x4b: // BININT1
        stack.push(byte());
        break;
      case 0x4d: // BININT2
        stack.push(view.getUint16((at += 2) - 2, true));
        break;
      case 0x4a: // BININT
        stack.push(view.getInt32((at += 4) - 4, true));
        break;
      case 0x8a: { // LONG1
        const length = byte();
        stack.push(littleEndian(bytes.subarray(at, at += length)));
        break;
      }
      case 0x47: // BINFLOAT
        stack.push(view.getFloat64((at += 8) - 8));
        break;
      case 0x58: // BINUNICODE
        stack.push(text(word()));
        break;
      case 0x63: // GLOBAL
        stack.push(new PickledCall(`${line()}.${line()}`));
        break;
      case 0x7d: // EMPTY_DICT
        stack.push(new Map());
        break;
      case 0x5d: // EMPTY_LIST
      case 0x29: // EMPTY_TUPLE
        stack.push([]);
        break;
      case 0x74: // TUPLE
        stack.push(sinceMark());
        break;
      case 0x85: // TUPLE1
      case 0x86: // TUPLE2
      case 0x87: // TUPLE3
        stack.push(stack.splice(-(opcode - 0x84)));
        break;
      case 0x71: // BINPUT
        memo.set(byte(), stack.at(-1));
        break;
      case 0x72: // LONG_BINPUT
        memo.set(word(), stack.at(-1));
        break;
      case 0x68: // BINGET
        stack.push(memo.get(byte()));
        break;
      case 0x6a: // LONG_BINGET
        stack.push(memo.get(word()));
        break;
      case 0x51: // BINPERSID
        stack.push(new PickledCall(PERSISTENT, list(stack.pop())));
        break;
      case 0x52: { // REDUCE
        const args = list(stack.pop());
        stack.push(called(stack.pop(), args));
        break;
      }
      case 0x73: // SETITEM
        setItems(stack.splice(-2), stack.at(-1));
        break;
      case 0x75: // SETITEMS
        setItems(sinceMark(), stack.at(-1));
        break;
      case 0x61: // APPEND
      case 0x65: { // APPENDS
        const items = opcode === 0x61 ? stack.splice(-1) : sinceMark();
        list(stack.at(-1)).push(...items);
        break;
      }
      case 0x62: // BUILD: attributes of an object, of which none matter here
        stack.pop();
        break;
      default:
        throw new RangeError(`the pickle has opcode ${opcode} at byte ${at - 1}`);
    }
  }
}

function called(callee: unknown, args: unknown[]): unknown {
  const name = callee instanceof PickledCall ? callee.name : "unknown";
  return name === "collections.OrderedDict" ? new Map() : new PickledCall(name, args);
}

function setItems(items: readonly unknown[], target: unknown): void {
  if (!(target instanceof Map)) throw new RangeError("the pickle sets items of what is no dict");
  for (let at = 0; at + 1 < items.length; at += 2) target.set(items[at], items[at + 1]);
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new RangeError("the pickle has no tuple where one belongs");
  return value;
}

function littleEndian(bytes: Uint8Array): number {
  return bytes.reduceRight((sum, byte) => sum * 256 + byte, 0);
}
