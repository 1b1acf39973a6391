import 'react';

declare module 'react' {
  /** Custom properties (CSS variables) in `style`. */
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}
