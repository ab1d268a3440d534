import { Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import { SmallButton } from '../../../parts/actions/small-button.js';
import type { ShownArtifact } from './shown-artifact.js';
import { useSave } from './use-save.js';
import classes from './artifact-dialog.module.css';

interface ContentToolsProps {
  readonly shown: ShownArtifact;
  /** Returns the text to copy; called only on demand. */
  readonly text: () => string;
  /** Switches between ways to view the content. */
  readonly children?: ReactNode;
}

/** Tools for any content: copy and download. */
export function ContentTools({ shown, text, children }: ContentToolsProps): ReactElement {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const { save, isSaving } = useSave(shown.resource, shown.artifact);
  return (
    <div className={classes.tools}>
      <div>{children}</div>
      <Group gap="xs">
        <SmallButton Icon={copied ? IconCheck : IconCopy} onClick={() => copy(text())}>
          {copied ? 'Copied' : 'Copy'}
        </SmallButton>
        <SmallButton Icon={IconDownload} loading={isSaving} onClick={save}>
          Download
        </SmallButton>
      </Group>
    </div>
  );
}
