// @ts-check
import express from 'express';

/** An Express server with one route, with whose start time the start of a service is compared. Its argument is the port. */
const [port] = process.argv.slice(2);
express()
  .get('/', (_request, response) => void response.send('hello'))
  .listen(Number(port), '127.0.0.1');
