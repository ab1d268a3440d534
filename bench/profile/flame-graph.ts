import type { Call } from './call-tree.js';
import type { Place } from './places.js';

const width = 1200;
const rowHeight = 17;
const fontSize = 11;
/** Of a character of the font, in pixels. */
const characterWidth = 6.7;
const margin = 10;
/** Title, legend. */
const headHeight = 62;
/** What is less than this share of all is left out. */
const least = 0.003;

const kinds: Readonly<Record<Place['kind'], { readonly color: string; readonly text: string }>> = {
  ours: { color: '#8ec5ff', text: 'this project' },
  package: { color: '#ffc98a', text: 'packages' },
  node: { color: '#b9e0b0', text: 'Node' },
  engine: { color: '#d5d5d8', text: 'V8 and native code' },
};

/** A row of the picture: each thread, and above it what it did. */
export interface FlameGraph {
  readonly title: string;
  readonly subtitle: string;
  readonly threads: readonly { readonly thread: string; readonly root: Call }[];
}

/** Draws it as an SVG: as wide as it took long, what was called above what called it, without order in time. */
export function drawFlameGraph({ title, subtitle, threads }: FlameGraph): string {
  const all = threads.reduce((sum, { root }) => sum + root.total, 0);
  const scale = (width - 2 * margin) / all;
  const boxes: Box[] = [];
  let left = 0;
  for (const { thread, root } of threads) {
    const place: Place = { name: thread, group: thread, kind: 'engine' };
    collect({ ...root, place }, left, 0, all * least, boxes);
    left += root.total;
  }
  const rows = Math.max(0, ...boxes.map(({ depth }) => depth)) + 1;
  const height = headHeight + rows * rowHeight + margin;
  const drawn = boxes.map(({ call, from, depth }) => {
    const x = margin + from * scale;
    const y = height - margin - (depth + 1) * rowHeight;
    const wide = call.total * scale;
    const room = Math.floor((wide - 4) / characterWidth);
    const { name, kind } = call.place;
    const share = `${((call.total / all) * 100).toFixed(1)} %, itself ${((call.self / all) * 100).toFixed(1)} %`;
    const label =
      room < 3
        ? ''
        : `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escape(name.length > room ? `${name.slice(0, room - 1)}…` : name)}</text>`;
    const box = `<rect class="${kind}" x="${x.toFixed(1)}" y="${y}" width="${Math.max(0.5, wide - 0.5).toFixed(1)}" height="${rowHeight - 1}"/>`;
    return `<g><title>${escape(name)}: ${share}</title>${box}${label}</g>`;
  });
  const legend = Object.entries(kinds).map(([kind, { text }], index) => {
    const x = margin + index * 160;
    return `<rect class="${kind}" x="${x}" y="44" width="12" height="12"/><text x="${x + 17}" y="54">${text}</text>`;
  });
  const styles = Object.entries(kinds).map(([kind, { color }]) => `.${kind}{fill:${color}}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(title)}">
<style>text{font:${fontSize}px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1b1b1f}.title{font-size:14px;font-weight:bold}${styles.join('')}</style>
<rect width="100%" height="100%" fill="#fff"/>
<text class="title" x="${margin}" y="19">${escape(title)}</text>
<text x="${margin}" y="36">${escape(subtitle)}</text>
${legend.join('')}
${drawn.join('\n')}
</svg>
`;
}

interface Box {
  readonly call: Call;
  /** Microseconds left of it. */
  readonly from: number;
  readonly depth: number;
}

function collect(call: Call, from: number, depth: number, atLeast: number, boxes: Box[]): void {
  if (call.total < atLeast) return;
  boxes.push({ call, from, depth });
  let left = from;
  for (const each of [...call.calls.values()].sort((a, b) => b.total - a.total)) {
    collect(each, left, depth + 1, atLeast, boxes);
    left += each.total;
  }
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
