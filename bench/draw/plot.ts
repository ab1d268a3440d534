import { View, parse } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { Curve } from '../kit/figure.js';

/** The ratio above which points at the left end of a linear axis would overlap. */
const wideRange = 50;

/** Draws a curve as an SVG with a white background. */
export async function drawCurve(title: string, { x, y, lines }: Curve): Promise<string> {
  const values = Object.entries(lines).flatMap(([line, points]) =>
    points.map(([at, value]) => ({ line, at, value })),
  );
  const places = values.map(({ at }) => at).filter((at) => at > 0);
  const isWide = Math.max(...places) > wideRange * Math.min(...places) && places.length === values.length;
  const spec: TopLevelSpec = {
    title: { text: title, anchor: 'start', offset: 12 },
    width: 640,
    height: 320,
    padding: 12,
    background: 'white',
    data: { values },
    mark: { type: 'line', point: true, strokeWidth: 2 },
    encoding: {
      x: {
        field: 'at',
        type: 'quantitative',
        title: x,
        scale: isWide ? { type: 'log', nice: false } : { nice: true, zero: true },
        axis: isWide
          ? { values: [...new Set(places)], format: ',~f' }
          : { format: ',f', ...(places.every(Number.isInteger) && { tickMinStep: 1 }) },
      },
      y: { field: 'value', type: 'quantitative', title: y, scale: { zero: true } },
      color: {
        field: 'line',
        type: 'nominal',
        title: null,
        sort: null,
        scale: { range: ['#1f6fd0', '#d9761a', '#2f8f4e', '#8a4fc0', '#8b8b8b'] },
        legend: { orient: 'bottom', columns: 4, labelLimit: 300 },
      },
    },
    config: { font: 'system-ui, sans-serif', view: { stroke: null }, axis: { gridColor: '#e6e6e9' } },
  };
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  try {
    return `${await view.toSVG()}\n`;
  } finally {
    view.finalize();
  }
}
