/** The command line over the toy benchmark, as a process of its own. `TOY` holds its `ToyOptions` as JSON. */
import { CLI_CONTEXT, runCli } from "../../cli.ts";
import { toyEnvironment, type ToyOptions } from "./toy_environment.ts";

const options: ToyOptions = JSON.parse(Deno.env.get("TOY") ?? "{}");
const environments = { toy: () => Promise.resolve(toyEnvironment(options)) };
Deno.exit(await runCli(Deno.args, { ...CLI_CONTEXT, environments }));
