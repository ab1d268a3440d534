// The conformance suite of the Model Context Protocol imports `fs.globSync`, which came with Node 22, for what it does to
// clients. Loaded by `--import`, this gives it one on Node 20 too.
import { register } from 'node:module';

const shim = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];`;
const hooks = `export const resolve = (name, context, next) =>
  name === 'fs' && /mcp.*conformance|modelcontextprotocol.conformance/.test(context.parentURL ?? '')
    ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(shim)}`)}, shortCircuit: true }
    : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
