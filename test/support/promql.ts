import { parser } from '@prometheus-io/lezer-promql';

/** What an expression asks a scrape for: a metric, and the labels by which it is selected or grouped. */
export interface Asked {
  readonly metric: string;
  readonly labels: readonly string[];
}

/**
 * The metrics of a PromQL expression with the labels it uses of each; labels that it groups by are asked of every
 * metric in it. Throws for what is no PromQL.
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

/** Every series of a text in Prometheus' exposition format: its name, and the names of its labels. */
export function seriesOf(exposition: string): { readonly name: string; readonly labels: string[] }[] {
  return [...exposition.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? [^\s]+/gm)].map(
    ([, name, labels = '']) => ({
      name: name!,
      labels: [...labels.matchAll(/([a-zA-Z_]\w*)="(?:[^"\\]|\\.)*"/g)].map(([, label]) => label!),
    }),
  );
}
