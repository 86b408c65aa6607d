import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Fetches the chat while another page is looked at: most people go there next, and it is the largest page. */
export function useChatAhead(wanted: boolean): void {
  const router = useRouter();
  useEffect(() => {
    const ending = new AbortController();
    if (wanted)
      void import('./chat-ahead.ts').then(
        (ahead) => ahead.fetchChat(router, ending.signal),
        () => undefined,
      );
    return () => ending.abort();
  }, [wanted, router]);
}
