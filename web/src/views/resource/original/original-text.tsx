import type { ReactElement } from 'react';
import type { Resource } from '@knowledge-warehouse/client';
import { useOriginalText } from '../../../api/contents.js';
import { ErrorState } from '../../../parts/messages/error-state.js';
import { PageLoader } from '../../../parts/layout/page-loader.js';
import { LongText } from '../artifact/text/long-text.js';
import classes from './original.module.css';

/** Shows a text original unchanged: for HTML, its source. */
export function OriginalText({ resource }: { readonly resource: Resource }): ReactElement {
  const text = useOriginalText(resource);
  if (text.isPending) return <PageLoader />;
  if (text.isLoadingError) return <ErrorState error={text.error} onRetry={() => void text.refetch()} />;
  if (text.data === null)
    return <p className="dim">This text is not in UTF-8. Download the original to read it.</p>;
  return (
    <div className={classes.plain}>
      <LongText text={text.data} />
    </div>
  );
}
