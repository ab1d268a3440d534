import { SegmentedControl } from '@mantine/core';
import { Suspense, useMemo, useState, type ReactElement } from 'react';
import { countCodePoints } from '../../../../parts/code-points.js';
import { formatCount } from '../../../../parts/format.js';
import { lazyPart } from '../../../../parts/lazy-part.js';
import { PageLoader } from '../../../../parts/layout/page-loader.js';
import { ContentTools } from '../content-tools.js';
import { LongText } from './long-text.js';
import type { ShownArtifact } from '../shown-artifact.js';
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
  const canRender = text.length <= longestRendered;
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
            {formatCount(characters)} characters{isMarkdown && ', too many to be rendered'}
          </span>
        )}
      </ContentTools>
      {mode === 'rendered' ? (
        <div className={classes.pane} tabIndex={0} role="region" aria-label="Rendered text">
          <Suspense fallback={<PageLoader />}>
            <Markdown text={text} />
          </Suspense>
        </div>
      ) : (
        <LongText text={text} />
      )}
    </>
  );
}
