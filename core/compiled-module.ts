/** The root of the project, or of the build output. */
const top = new URL('../', import.meta.url);

/**
 * Returns the URL of the compiled version of a module next to the one with the given `import.meta.url`. A child process or
 * thread that first had to compile would take longer than its task.
 */
export function compiledModule(name: string, beside: string): URL {
  if (!beside.endsWith('.ts')) return new URL(`./${name}.js`, beside);
  const source = new URL(`./${name}.ts`, beside);
  return new URL(`dist/${source.href.slice(top.href.length).replace(/ts$/, 'js')}`, top);
}

/** Returns the URL of a module that the build has bundled with all it imports. It starts in half the time. */
export function bundledModule(name: string): URL {
  return new URL(`${import.meta.url.endsWith('.ts') ? 'dist/' : ''}bin/${name}.js`, top);
}
