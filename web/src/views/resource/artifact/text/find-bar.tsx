import { ActionIcon, Switch, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconSearch } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { formatCount } from '../../../../parts/format.js';
import { mostMatches } from './find.js';
import type { Find } from './use-find.js';
import classes from './find-bar.module.css';

interface FindBarProps {
  readonly find: Find;
  /** A name for the searched text. */
  readonly label?: string;
  readonly wraps?: boolean;
  /** Omitted if lines always wrap. */
  readonly onWraps?: (wraps: boolean) => void;
}

/** Finds words in a text, and toggles line wrapping. Enter goes to the next match, Shift+Enter to the previous one. */
export function FindBar(props: FindBarProps): ReactElement {
  const { find, label = 'Find in the text', wraps = true, onWraps } = props;
  const { words, setWords, matches, at, step } = find;
  const count = matches.length;
  const none = count === 0;
  return (
    <div className={classes.bar}>
      <TextInput
        type="search"
        size="xs"
        dir="auto"
        aria-label={label}
        placeholder={label}
        leftSection={<IconSearch size={14} stroke={1.7} aria-hidden />}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          step(event.shiftKey ? -1 : 1);
        }}
      />
      <ActionIcon variant="default" aria-label="Previous match" disabled={none} onClick={() => step(-1)}>
        <IconChevronUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="default" aria-label="Next match" disabled={none} onClick={() => step(1)}>
        <IconChevronDown size={16} aria-hidden />
      </ActionIcon>
      <span role="status" className="dim small tabular">
        {words !== '' && (none ? 'No match' : `${formatCount(at + 1)} of ${formatCount(count)}`)}
        {count === mostMatches && '+'}
      </span>
      {onWraps !== undefined && (
        <Switch
          size="xs"
          className={classes.wrap}
          label="Wrap lines"
          withThumbIndicator={false}
          checked={wraps}
          onChange={(event) => onWraps(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}
