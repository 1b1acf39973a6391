import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import classes from './search-field.module.css';

const TYPING_PAUSE_MS = 300;

export interface SearchFieldProps {
  label: string;
  placeholder?: string;
  value: string;
  onSearch: (value: string) => void;
}

/** A search field that searches when typing pauses. */
export function SearchField({ label, placeholder, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  // The value also changes when the user goes back or forward in the browser.
  useEffect(() => setText(value), [value]);
  const search = useDebouncedCallback(onSearch, TYPING_PAUSE_MS);
  const change = (next: string) => {
    setText(next);
    search(next.trim());
  };
  return (
    <TextInput
      className={classes.field}
      aria-label={label}
      placeholder={placeholder ?? label}
      value={text}
      maxLength={200}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<IconSearch size={15} stroke={1.7} aria-hidden />}
      rightSection={text === '' ? null : <CloseButton size="sm" aria-label="Clear" onClick={() => change('')} />}
    />
  );
}
