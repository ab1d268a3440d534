import { Button, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import { download } from './download.js';
import classes from './artifact-dialog.module.css';

interface ContentToolsProps {
  /** Made when it is asked for. */
  readonly text: () => string;
  readonly fileName: string;
  readonly mediaType: string;
  /** Ways to look at it. */
  readonly children?: ReactNode;
}

/** What can be done with any content: copied, and kept as a file. */
export function ContentTools({ text, fileName, mediaType, children }: ContentToolsProps): ReactElement {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  return (
    <div className={classes.tools}>
      <div>{children}</div>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
          onClick={() => copy(text())}
        >
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          onClick={() => download(text(), fileName, mediaType)}
        >
          Download
        </Button>
      </Group>
    </div>
  );
}
