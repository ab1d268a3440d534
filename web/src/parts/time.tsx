import type { ReactElement } from 'react';
import { formatDuration, formatRelative, formatTime } from './format.js';
import { useNow } from './now.js';

/** Shows how long ago something was, with the exact time in a tooltip. */
export function Ago({ at }: { readonly at: string }): ReactElement {
  const now = useNow();
  const date = new Date(at);
  return (
    <time dateTime={at} title={formatTime(date)}>
      {formatRelative(date, now)}
    </time>
  );
}

/** Shows how long something took, or has taken so far. */
export function Duration({ from, to }: { readonly from: string; readonly to: string | null }): ReactElement {
  return to === null ? <Ticking from={from} /> : <Settled from={from} to={to} />;
}

const Settled = ({ from, to }: { readonly from: string; readonly to: string }): ReactElement => (
  <span className="tabular">{formatDuration(Date.parse(to) - Date.parse(from))}</span>
);

function Ticking({ from }: { readonly from: string }): ReactElement {
  const seconds = Math.max(0, Math.floor((useNow('quick') - Date.parse(from)) / 1000));
  return <span className="tabular">{formatDuration(seconds * 1000).replace(/^0 ms$/, '0 s')}</span>;
}
