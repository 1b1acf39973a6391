// @ts-check
import express from 'express';

/** What starting a service is measured against, on the port that it is given. */
const [port] = process.argv.slice(2);
express()
  .get('/', (_request, response) => void response.send('hello'))
  .listen(Number(port), '127.0.0.1');
