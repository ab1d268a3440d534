import { SegmentedControl } from '@mantine/core';
import { Suspense, useMemo, useState, type ReactElement } from 'react';
import { countCodePoints } from '../../../../parts/code-points.js';
import { ErrorBoundary } from '../../../../parts/error-boundary.js';
import { formatCount } from '../../../../parts/format.js';
import { lazyPart } from '../../../../parts/lazy-part.js';
import { PageLoader } from '../../../../parts/layout/page-loader.js';
import { ContentTools } from '../content-tools.js';
import { LongText } from './long-text.js';
import type { ShownArtifact } from '../shown-artifact.js';
import { isTooComplex } from './is-too-complex.js';
import { looksLikeMarkdown } from './text-lines.js';
import classes from '../artifact-dialog.module.css';

const Markdown = lazyPart(() => import('./markdown.js'));

/** Characters. A longer rendered text would have too many elements for the page. */
const longestRendered = 200_000;

/** Shows a text as it is, or rendered if it is Markdown. */
export function TextContent({
  shown,
  text,
}: {
  readonly shown: ShownArtifact;
  readonly text: string;
}): ReactElement {
  const isTooLong = text.length > longestRendered;
  const [hasFailed, setHasFailed] = useState(false);
  const isSimple = useMemo(() => !isTooLong && !isTooComplex(text), [isTooLong, text]);
  const canRender = isSimple && !hasFailed;
  const isMarkdown = looksLikeMarkdown(text);
  const characters = useMemo(() => (canRender ? 0 : countCodePoints(text)), [canRender, text]);
  const [mode, setMode] = useState(canRender && isMarkdown ? 'rendered' : 'plain');
  return (
    <>
      <ContentTools shown={shown} text={() => text}>
        {canRender ? (
          <SegmentedControl
            size="xs"
            aria-label="How the text is shown"
            value={mode}
            onChange={setMode}
            data={[
              { value: 'rendered', label: 'Rendered' },
              { value: 'plain', label: 'Plain' },
            ]}
          />
        ) : (
          <span className="dim small">
            {formatCount(characters)} characters
            {isTooLong && isMarkdown && ', too many to be rendered'}
            {!isTooLong && !isSimple && isMarkdown && ', too complex to be rendered'}
            {hasFailed && ', which could not be rendered'}
          </span>
        )}
      </ContentTools>
      {canRender && mode === 'rendered' ? (
        <div className={classes.pane} tabIndex={0} role="region" aria-label="Rendered text">
          <ErrorBoundary onFailure={() => setHasFailed(true)}>
            <Suspense fallback={<PageLoader />}>
              <Markdown text={text} />
            </Suspense>
          </ErrorBoundary>
        </div>
      ) : (
        <LongText text={text} />
      )}
    </>
  );
}
