import { parser } from '@prometheus-io/lezer-promql';

/** A metric in an expression, with the labels that select or group it. */
export interface Asked {
  readonly metric: string;
  readonly labels: readonly string[];
}

/**
 * Returns the metrics of a PromQL expression with the labels it uses. Grouping labels count for every metric in it.
 * Throws for invalid PromQL.
 */
export function askedBy(expression: string): Asked[] {
  const text = expression.replaceAll('$__rate_interval', '1m').replaceAll('$__range', '1h');
  const selected: { metric: string; labels: string[] }[] = [];
  const grouped: string[] = [];
  const word = (node: { from: number; to: number }): string => text.slice(node.from, node.to);
  parser.parse(text).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`No PromQL at ${node.from}: ${text}`);
      if (node.name === 'VectorSelector') {
        const name = node.node.getChild('Identifier');
        if (name === null) throw new Error(`A selector without a name: ${text}`);
        selected.push({ metric: word(name), labels: [] });
      } else if (node.name === 'LabelName') {
        const isGrouping = node.node.parent?.name === 'GroupingLabels';
        (isGrouping ? grouped : selected.at(-1)!.labels).push(word(node));
      }
    },
  });
  return selected.map(({ metric, labels }) => ({ metric, labels: [...new Set([...labels, ...grouped])] }));
}

/** Returns every series of a text in Prometheus' exposition format: its name and the names of its labels. */
export function seriesOf(exposition: string): { readonly name: string; readonly labels: string[] }[] {
  return [...exposition.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? [^\s]+/gm)].map(
    ([, name, labels = '']) => ({
      name: name!,
      labels: [...labels.matchAll(/([a-zA-Z_]\w*)="(?:[^"\\]|\\.)*"/g)].map(([, label]) => label!),
    }),
  );
}
