import { randomBytes } from 'node:crypto';

const BYTES = 16;

/**
 * An agent_slug: 22 base64url characters by chance, made when an agent is created and never changed. Nothing of the agent can be told or
 * guessed from it, as who has it sees the card. Source: decisions section 1, "Ids".
 */
export const makeSlug = (): string => randomBytes(BYTES).toString('base64url');
