import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { useErrorMessage } from './use-error-message.ts';

interface Notify {
  /** Says that something was done. */
  done(message: string): void;
  /** Neutral message, such as why there is nothing to do. */
  info(message: string): void;
  /** Says in the language of the page why something was not done. */
  failed(error: unknown): void;
}

/** Short messages at the edge of the window. */
export function useNotify(): Notify {
  const errorMessage = useErrorMessage();
  return {
    done: (message) => void notifications.show({ message, icon: <IconCheck size={18} />, withBorder: true }),
    info: (message) =>
      void notifications.show({ message, color: 'gray', icon: <IconInfoCircle size={18} />, withBorder: true }),
    failed: (error) =>
      void notifications.show({
        message: errorMessage(error),
        color: 'red',
        icon: <IconAlertTriangle size={18} />,
        withBorder: true,
        role: 'alert',
        autoClose: 10_000,
      }),
  };
}
