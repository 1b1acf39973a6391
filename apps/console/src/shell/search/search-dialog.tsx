import { Modal, useMantineColorScheme } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { SearchList } from './search-list.js';
import classes from './search.module.css';
import type { Found } from './sources.js';
import { useSearch } from './use-search.js';

export interface SearchDialogProps {
  roles: readonly string[];
  opened: boolean;
  /** Text that was typed before the dialog was loaded. */
  early: string;
  close: () => void;
}

/** Global search: the field keeps the focus, arrow keys select, Enter opens (ARIA APG, combobox with a listbox). */
export function SearchDialog({ roles, opened, early, close }: SearchDialogProps) {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  // Whether the dialog closes because a page opens. That page takes the focus; otherwise, the focus returns to its former place.
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => {
    if (opened) setLeaving(false);
  }, [opened]);
  const open = ({ to, scheme }: Found) => {
    setLeaving(to !== undefined);
    close();
    if (scheme !== undefined) setColorScheme(scheme);
    if (to !== undefined) void navigate(to);
  };
  return (
    <Modal.Root
      opened={opened}
      onClose={close}
      size={600}
      yOffset={80}
      returnFocus={!isLeaving}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content aria-label="Search" radius="md">
        <Modal.Body p={0}>
          <Search roles={roles} early={early} open={open} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Search({ roles, early, open }: Pick<SearchDialogProps, 'roles' | 'early'> & { open: (found: Found) => void }) {
  const [text, setText] = useState(early);
  const [chosen, setChosen] = useState(0);
  const { groups, isSearching, silent } = useSearch(text, roles);
  const all = groups.flatMap(({ found }) => found);
  const index = Math.min(chosen, all.length - 1);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [index]);

  const press = (event: KeyboardEvent) => {
    // While an input method (IME) composes text, these keys belong to the input method.
    if (event.nativeEvent.isComposing) return;
    const found = all[index];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && all.length > 0) setChosen((index + step + all.length) % all.length);
    else if (event.key === 'Enter' && found) open(found);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={classes.field}>
        <IconSearch size={18} stroke={1.7} aria-hidden />
        <input
          type="text"
          role="combobox"
          aria-label="Search everything"
          aria-expanded={all.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={all.length > 0 ? `${listId}-${index}` : undefined}
          placeholder="Search records, actions, settings, IDs"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={text}
          data-autofocus
          onChange={(event) => {
            setText(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={press}
        />
      </div>
      <SearchList ref={list} id={listId} groups={groups} chosen={index} onChoose={setChosen} onOpen={open} />
      <div role="status" className={classes.status}>
        {isSearching ? 'Searching …' : all.length === 0 ? 'No results' : `${all.length} found`}
        {silent.map((area) => (
          <div key={area}>{area} is unavailable: its records are not searched.</div>
        ))}
      </div>
    </>
  );
}

// eslint-disable-next-line no-restricted-syntax -- React's `lazy` takes the default export.
export default SearchDialog;
