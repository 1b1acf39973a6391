// @ts-check
import express from 'express';

/**
 * An Express server with one route. The benchmark compares the start times of services with the start time of this program. Its argument is the port.
 */
const [port] = process.argv.slice(2);
express()
  .get('/', (_request, response) => void response.send('hello'))
  .listen(Number(port), '127.0.0.1');
