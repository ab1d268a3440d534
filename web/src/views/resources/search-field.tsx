import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactElement } from 'react';

interface SearchFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const typingMs = 150;

/** Searches while the user types. Escape clears it. */
export function SearchField({ value, onChange }: SearchFieldProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const report = useDebouncedCallback((next: string) => {
    reported.current = next;
    onChange(next);
  }, typingMs);

  // The URL changed otherwise: by going back, or by "Clear filters".
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    report.cancel();
    setText(value);
  }, [value, report]);

  const type = (next: string): void => {
    setText(next);
    report(next.trim());
  };
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label="Filter resources by name"
      placeholder="Filter by name"
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        if (text === '') input.current?.blur();
        else type('');
      }}
      leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
      rightSectionPointerEvents="all"
      rightSection={
        text !== '' && (
          <CloseButton
            size="sm"
            aria-label="Clear the name"
            onClick={() => {
              type('');
              // The button vanishes.
              input.current?.focus();
            }}
          />
        )
      }
    />
  );
}
