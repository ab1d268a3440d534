import { existsSync } from 'node:fs';

/** The top of the project, or of what the build made of it. */
const top = new URL('../../', import.meta.url);

/**
 * The address of a module beside the one whose `import.meta.url` is given, as the build made it: a child that compiles first
 * would take longer than its task. Throws where it was not built.
 */
export function compiledModule(name: string, beside: string): URL {
  if (!beside.endsWith('.ts')) return new URL(`./${name}.js`, beside);
  const source = new URL(`./${name}.ts`, beside);
  const compiled = new URL(`dist/${source.href.slice(top.href.length).replace(/ts$/, 'js')}`, top);
  if (!existsSync(compiled)) throw new Error(`${compiled.pathname} is missing: run "npm run build".`);
  return compiled;
}
