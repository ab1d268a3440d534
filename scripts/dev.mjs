// Runs the whole stack, rebuilds it on every change of a source, and then restarts API and worker.
import { fork, spawn } from 'node:child_process';
import { readFileSync, watch } from 'node:fs';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '..'));

const { include } = JSON.parse(readFileSync('tsconfig.json', 'utf8'));

/** Builds. Resolves with whether the build succeeded. */
function build() {
  const started = Date.now();
  return new Promise((resolve) => {
    spawn(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' }).on('exit', (code) => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(code === 0 ? `Built in ${seconds} s.` : 'The build failed; the last build keeps running.');
      resolve(code === 0);
    });
  });
}

if (!(await build())) process.exit(1);

// Runs in a separate process group: Ctrl-C reaches only this script, which forwards it once.
const stack = fork('dist/bin/kw.js', ['start', ...process.argv.slice(2)], {
  execArgv: ['--disable-warning=ExperimentalWarning'],
  detached: true,
});
stack.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stack.kill(signal));

let timer;
let building = Promise.resolve();

async function rebuild() {
  if ((await build()) && stack.connected) stack.send({ type: 'reload' });
}

for (const folder of [...include, 'web', 'packages/plugin/src', 'packages/client/src']) {
  watch(folder, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(rebuild);
    }, 200);
  });
}
