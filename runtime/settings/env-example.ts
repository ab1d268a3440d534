import type { Setting } from './setting-types.js';
import { settings } from './settings.js';

type Value = string | number | boolean | readonly string[] | Readonly<Record<string, string>> | null;

const width = 100;

/** The text of `.env.example`: every setting with its meaning, kind and default, all of them commented out. */
export function renderEnvExample(): string {
  const entries = Object.entries<Setting<Value>>(settings).map(([name, setting]) => {
    // Lists and other objects have no default to show.
    const fallback = typeof setting.default === 'object' ? null : String(setting.default);
    const shown = setting.shownDefault ?? fallback ?? 'none';
    const needed = setting.neededBy.map((role) => `kw ${role === 'api' ? 'serve' : role}`).join(', ');
    const facts = [
      `Kind: ${setting.type}; default: ${shown}`,
      ...(needed === '' ? [] : [`needed by ${needed}`]),
      ...(setting.secret ? [`secret, also as a file: ${name}_FILE`] : []),
    ].join('; ');
    const example = setting.shownDefault === undefined ? (fallback ?? '') : '';
    return [...wrap(setting.description), ...wrap(facts), `#${name}=${example}`].join('\n');
  });
  const head = [
    '# Settings of the Knowledge Warehouse. Copy this file to .env, or set them in the environment, which takes precedence.',
    '# Instead of a secret NAME you can set NAME_FILE, the path of a file that contains it.',
    '# Written by "node scripts/env-example.mjs" from runtime/settings/settings.ts.',
  ].join('\n');
  return `${[head, ...entries].join('\n\n')}\n`;
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '#';
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > width) {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}
