import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';
import { MissingChunkError } from './reload-when-stale.ts';

/**
 * A page whose code is fetched when it is opened. Code that could not be fetched is an error of our own: the router's lazy component
 * knows the browser's by its text and reloads, which puts the browser's error page in place of the console where the service is away.
 */
export const lazyPage = <Props, Module extends { readonly Page: (props: Props) => unknown }>(
  load: () => Promise<Module>,
): AsyncRouteComponent<Props> =>
  lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        throw new MissingChunkError(error);
      }),
    'Page',
  ) as AsyncRouteComponent<Props>;
