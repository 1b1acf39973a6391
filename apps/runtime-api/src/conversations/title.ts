/** SQL for a title from the message `m`: the beginning of the message's text, or the name of its first image. */
export const titleOf = (m: string, characters: number): string =>
  `coalesce(nullif(left(${m}.content, ${characters}), ''), ${m}.images -> 0 ->> 'name', '')`;
