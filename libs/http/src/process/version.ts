/** Version of the program, which the bundler sets (tools/build-app.mjs). */
declare const __MILLWRIGHT_VERSION__: string | undefined;

export const serviceVersion: string =
  typeof __MILLWRIGHT_VERSION__ === 'string' ? __MILLWRIGHT_VERSION__ : '0.0.0-source';
