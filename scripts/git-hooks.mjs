// Installs the git hook that checks commit messages in this clone (the "prepare" script, which npm ci runs). Does
// nothing outside a clone, or if hooks are already kept in another folder.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const folder = '.githooks';
const git = (...args) => spawnSync('git', args, { encoding: 'utf8' });

if (existsSync('.git') && existsSync(folder)) {
  const current = git('config', 'core.hooksPath').stdout?.trim() ?? '';
  if (current === '') git('config', 'core.hooksPath', folder);
  else if (current !== folder) console.log(`Git hooks are kept in ${current}: ${folder} is not used.`);
}
