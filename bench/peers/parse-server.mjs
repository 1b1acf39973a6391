// @ts-check
import express from 'express';

/** parse-server on a PostgreSQL database. Only the holder of the master key can make classes. */
const [port, databaseUrl, module = '', folder] = process.argv.slice(2);
const { ParseServer } = await import(module).then((loaded) => loaded.default ?? loaded);
const server = new ParseServer({
  ...{ databaseURI: databaseUrl, appId: 'bench', masterKey: 'bench', serverURL: `http://127.0.0.1:${port}/parse` },
  ...{ allowClientClassCreation: false, logsFolder: folder },
});
await server.start();
express().use('/parse', server.app).listen(Number(port), '127.0.0.1');
