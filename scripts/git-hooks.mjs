// Has git in this clone look at each commit's message ("prepare", which npm ci runs). Elsewhere, and where hooks are kept in
// another folder already, it does nothing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const folder = '.githooks';
const git = (...args) => spawnSync('git', args, { encoding: 'utf8' });

if (existsSync('.git') && existsSync(folder)) {
  const current = git('config', 'core.hooksPath').stdout?.trim() ?? '';
  if (current === '') git('config', 'core.hooksPath', folder);
  else if (current !== folder) console.log(`Git hooks are kept in ${current}: ${folder} is not used.`);
}
