import type { ComponentProps } from 'react';
import { Link, useHref } from 'react-router';

/** A link to a page of the console: from one of its pages, or from the chat, which has a router of its own. */
export function ConsoleLink({ to, ...rest }: Omit<ComponentProps<'a'>, 'href'> & { to: string }) {
  const isConsole = useHref('/').startsWith('/admin');
  return isConsole ? <Link to={to} {...rest} /> : <a href={`/admin${to}`} {...rest} />;
}
