/** SQL for the title that a message `m` gives to its conversation: the beginning of its text, or the name of its first image. */
export const titleOf = (m: string, characters: number): string =>
  `coalesce(nullif(left(${m}.content, ${characters}), ''), ${m}.images -> 0 ->> 'name', '')`;
