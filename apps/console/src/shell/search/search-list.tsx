import type { Ref } from 'react';
import classes from './search.module.css';
import type { Found } from './sources.js';
import type { SearchGroup } from './use-search.js';

export interface SearchListProps {
  ref: Ref<HTMLDivElement>;
  id: string;
  groups: readonly SearchGroup[];
  /** Index of the selected result over all groups. */
  chosen: number;
  onChoose: (index: number) => void;
  onOpen: (found: Found) => void;
}

/** Search results by kind. */
export function SearchList({ ref, id, groups, chosen, onChoose, onOpen }: SearchListProps) {
  const order = groups.flatMap(({ found }) => found);
  return (
    <div ref={ref} id={id} role="listbox" aria-label="Found" className={classes.list} hidden={order.length === 0}>
      {groups.map(({ name, found }) => (
        <div key={name} role="group" aria-label={name}>
          <div className={classes.group} aria-hidden>
            {name}
          </div>
          {found.map((one) => {
            const index = order.indexOf(one);
            return (
              <div
                key={one.key}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === chosen}
                className={classes.option}
                onMouseMove={() => onChoose(index)}
                // A click on a result keeps the focus in the search field.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onOpen(one)}
              >
                <span className={classes.label}>
                  <bdi>{one.label}</bdi>
                </span>
                {one.text !== undefined && <span className={classes.text}>{one.text}</span>}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
