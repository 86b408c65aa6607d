import { InvitedPeople, type ManyInvited, MAX_INVITED_AT_ONCE } from '@ai-studio/contract/console/people.ts';
import type { Role } from '@ai-studio/contract/console/roles.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../../api/client.ts';

/** Somebody to invite. */
export interface NewMember {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/** How far the invitations have come. */
export interface InviteRun {
  readonly total: number;
  readonly invited: readonly ManyInvited[];
  readonly running: boolean;
  /** Why the rest was not invited; null where nothing failed. */
  readonly error: unknown;
}

/** Small enough that people see it move, and that mail of one call is sent within seconds. */
const PER_CALL = Math.min(25, MAX_INVITED_AT_ONCE);

/** Invites a list of people, a few at a time; what was done by then stays done when it is stopped or fails. */
export function useInvitePeople() {
  const queries = useQueryClient();
  const stopped = useRef(false);
  const [run, setRun] = useState<InviteRun | null>(null);
  const start = async (people: readonly NewMember[]) => {
    stopped.current = false;
    let invited: readonly ManyInvited[] = [];
    let error: unknown = null;
    const tell = (running: boolean) => setRun({ total: people.length, invited, running, error });
    tell(true);
    for (let from = 0; from < people.length && !stopped.current; from += PER_CALL) {
      try {
        const body = { people: people.slice(from, from + PER_CALL) };
        invited = [...invited, ...(await api.post('/users/bulk', body, InvitedPeople)).people];
      } catch (failure) {
        error = failure;
        break;
      }
      tell(true);
    }
    tell(false);
    await queries.invalidateQueries({ queryKey: ['users'] });
  };
  return { run, start, stop: () => void (stopped.current = true) };
}
