// @ts-check
import { prisma } from './prisma/command.mjs';

/** Generates the Prisma client into libs/db/src/generated. */
process.exit(prisma(['generate']));
