// The client part of the MCP conformance suite imports `fs.globSync`, which is new in Node 22. Loaded with `--import`,
// this adds it to Node 20.
import { register } from 'node:module';

const shim = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];`;
const hooks = `export const resolve = (name, context, next) =>
  name === 'fs' && /mcp.*conformance|modelcontextprotocol.conformance/.test(context.parentURL ?? '')
    ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(shim)}`)}, shortCircuit: true }
    : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
