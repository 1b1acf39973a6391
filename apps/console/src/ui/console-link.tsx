import type { ComponentProps } from 'react';
import { Link, useHref } from 'react-router';

/** A link to a page of the console, which also works in the chat, although the chat has its own router. */
export function ConsoleLink({ to, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { to: string }) {
  const isConsole = useHref('/').startsWith('/admin');
  return isConsole ? <Link to={to} {...rest} /> : <a href={`/admin${to}`} {...rest} />;
}
