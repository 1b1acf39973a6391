// @ts-check

/**
 * Packages, and modules of packages, that every service loads only when it first needs them. They are large, and many processes never need them. If
 * services imported them statically, every start would take more CPU time, and every process would need more memory.
 */
export const DELAYED_PACKAGES = [
  '@aws-sdk/client-s3',
  '@modelcontextprotocol/client',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/sdk-trace',
  '@peculiar/x509',
  '@simplewebauthn/server',
  'gpt-tokenizer',
  'nodemailer',
  'openai/client.mjs',
  'unpdf',
];

/**
 * Returns the modules of delayed packages that a program reads at its start. They are in the output of its entry point, or in an output that this
 * output imports statically, directly or through other outputs.
 *
 * @param {import('esbuild').Metafile} metafile
 * @param {string} entryPoint
 */
export function readAtStart({ outputs }, entryPoint) {
  const files = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === entryPoint));
  for (const file of files)
    for (const { path, kind, external } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && !external) files.add(path);
  const modules = [...files].flatMap((file) => Object.entries(outputs[file]?.inputs ?? {}));
  return modules.flatMap(([module, { bytesInOutput }]) =>
    bytesInOutput > 0 && DELAYED_PACKAGES.some((name) => `${module}/`.includes(`node_modules/${name}/`))
      ? [module]
      : [],
  );
}
