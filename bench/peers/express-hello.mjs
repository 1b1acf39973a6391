// @ts-check
import express from 'express';

/** The baseline of a service's start, on the port in its argument. */
const [port] = process.argv.slice(2);
express()
  .get('/', (_request, response) => void response.send('hello'))
  .listen(Number(port), '127.0.0.1');
