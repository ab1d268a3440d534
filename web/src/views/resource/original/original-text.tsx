import type { ReactElement } from 'react';
import type { Resource } from '@knowledge-warehouse/client';
import { useOriginalText } from '../../../api/contents.js';
import { LoadingState } from '../../../parts/messages/loading-state.js';
import { LongText } from '../artifact/text/long-text.js';
import classes from './original.module.css';

/** Shows a text original unchanged: for HTML, its source. */
export function OriginalText({ resource }: { readonly resource: Resource }): ReactElement {
  const text = useOriginalText(resource);
  if (text.data === undefined) return <LoadingState query={text} />;
  if (text.data === null)
    return <p className="dim">This text is not in UTF-8. Download the original to read it.</p>;
  return (
    <div className={classes.plain}>
      <LongText text={text.data} />
    </div>
  );
}
