/** A method and a path as it was registered, such as `/v1/models/*`. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** Takes what no other route of the path takes: its methods are not told where there is another. */
  readonly isFallback?: boolean;
}

/** The methods of every path, to tell a wrong method from an unknown path. */
export interface PathTable {
  readonly routes: readonly Route[];
  add(route: Route): void;
  /** Methods that a path takes; empty where there is nothing. */
  methodsOf(path: string): readonly string[];
}

const patternOf = (path: string) =>
  new RegExp(
    `^${path
      .replace(/[.+^$()|[\]\\]/g, '\\$&')
      .replace(/\/\*$/, '/.+')
      .replace(/:[^/]+/g, '[^/]+')}/?$`,
  );

/** The paths of a server, as they are registered. */
export function createPathTable(): PathTable {
  const routes: (Route & { readonly pattern: RegExp })[] = [];
  return {
    routes,
    add: (route) => void routes.push({ ...route, pattern: patternOf(route.path) }),
    methodsOf(path) {
      const fitting = routes.filter(({ pattern }) => pattern.test(path));
      const own = fitting.filter(({ isFallback = false }) => !isFallback);
      return [...new Set((own.length > 0 ? own : fitting).map(({ method }) => method))];
    },
  };
}
