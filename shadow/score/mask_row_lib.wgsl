// 512 pixels of a mask's row at a time. `outline.ts` is the same for the host.

fn intersection(p: MaskRow, q: MaskRow) -> MaskRow {
  return MaskRow(p.a & q.a, p.b & q.b, p.c & q.c, p.d & q.d);
}

fn union_of(p: MaskRow, q: MaskRow) -> MaskRow {
  return MaskRow(p.a | q.a, p.b | q.b, p.c | q.c, p.d | q.d);
}

fn without(p: MaskRow, q: MaskRow) -> MaskRow {
  return MaskRow(p.a & ~q.a, p.b & ~q.b, p.c & ~q.c, p.d & ~q.d);
}

fn count(row: MaskRow) -> u32 {
  let ones = countOneBits(row.a) + countOneBits(row.b) + countOneBits(row.c) + countOneBits(row.d);
  return ones.x + ones.y + ones.z + ones.w;
}

fn is_empty(row: MaskRow) -> bool {
  return all((row.a | row.b | row.c | row.d) == vec4u(0u));
}

// Every pixel's left neighbour; `beyond` is all ones or all zeros.
fn left_neighbours(row: MaskRow, beyond: u32) -> MaskRow {
  return MaskRow(
    (row.a << vec4u(1u)) | (vec4u(beyond, row.a.xyz) >> vec4u(31u)),
    (row.b << vec4u(1u)) | (vec4u(row.a.w, row.b.xyz) >> vec4u(31u)),
    (row.c << vec4u(1u)) | (vec4u(row.b.w, row.c.xyz) >> vec4u(31u)),
    (row.d << vec4u(1u)) | (vec4u(row.c.w, row.d.xyz) >> vec4u(31u)),
  );
}

fn right_neighbours(row: MaskRow, beyond: u32) -> MaskRow {
  return MaskRow(
    (row.a >> vec4u(1u)) | (vec4u(row.a.yzw, row.b.x) << vec4u(31u)),
    (row.b >> vec4u(1u)) | (vec4u(row.b.yzw, row.c.x) << vec4u(31u)),
    (row.c >> vec4u(1u)) | (vec4u(row.c.yzw, row.d.x) << vec4u(31u)),
    (row.d >> vec4u(1u)) | (vec4u(row.d.yzw, beyond) << vec4u(31u)),
  );
}
