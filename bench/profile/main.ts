// Profiles our processes under the load of a bench with Node's own profiler: `npm run bench:profile -- NAME…` (engine,
// read, search); `--scale 0.2` for a quick look. Prints where the profiles are; open them with speedscope or Chrome
// DevTools.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readArguments } from '../kit/arguments.js';
import { profiledLoads } from './loads.js';

const { names, scale } = readArguments('load', Object.keys(profiledLoads));
for (const name of names) {
  const folder = resolve('profiles', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  console.log(`\n${name}`);
  await profiledLoads[name]!({ scale, folder, say: (text) => console.log(`  ${text}`) });
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.cpuprofile')) console.log(`  ${join('profiles', name, file)}`);
}
console.log('\nOpen one with "npx speedscope FILE", or in Chrome DevTools under Performance.');
