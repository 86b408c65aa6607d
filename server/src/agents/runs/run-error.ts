import { StudioError } from '../../kernel/errors.ts';

const refusals = {
  not_waiting_for_input: {
    message: 'There is no run of this agent that waits for an answer by this id',
    param: 'continues',
  },
  unknown_session: { message: 'There is no such session of this agent', param: 'session' },
  message_id_used: { message: 'The id of the message was used for another message', param: 'message' },
} as const;

/** Why a request starts no run. */
export type RunRefusal = keyof typeof refusals;

/** A request that starts no run: StudioError `invalid_request`, with the reason as a code for the surfaces. */
export class RunError extends StudioError {
  readonly refusal: RunRefusal;

  constructor(refusal: RunRefusal) {
    const { message, param } = refusals[refusal];
    super('invalid_request', message, { param });
    this.name = 'RunError';
    this.refusal = refusal;
  }
}
