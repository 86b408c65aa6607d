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

/** A parameter, with an expression of its own or without, or a colon that was written twice and stands for itself. */
const PARAMETER = /::|:\w+(?:\([^)]*\))?/g;

const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A part of a path between two slashes, as an expression. */
function partPattern(part: string): string {
  let pattern = '';
  let end = 0;
  for (const { 0: found, index } of part.matchAll(PARAMETER)) {
    pattern += quoted(part.slice(end, index)) + (found === '::' ? ':' : '[^/]+');
    end = index + found.length;
  }
  return pattern + quoted(part.slice(end));
}

const patternOf = (path: string) =>
  new RegExp(
    `^${path
      .split('/')
      .map((part, at, parts) => (part === '*' && at === parts.length - 1 ? '.+' : partPattern(part)))
      .join('/')}/?$`,
  );

/** How much of a part is open: nothing, a piece of it, all of it, or all that follows, too. */
function opennessOf(part: string): string {
  if (part === '*') return '3';
  const parameters = part.match(PARAMETER)?.filter((found) => found !== '::') ?? [];
  return parameters.length === 0 ? '0' : parameters[0] === part ? '2' : '1';
}

/** By which routers prefer one of two paths that fit: the one that is less open where they differ first. */
const opennessOfPath = (path: string): string => path.split('/').map(opennessOf).join('');

/** The paths of a server, as they are registered. */
export function createPathTable(): PathTable {
  const routes: (Route & { readonly pattern: RegExp; readonly openness: string })[] = [];
  return {
    routes,
    add: (route) =>
      void routes.push({ ...route, pattern: patternOf(route.path), openness: opennessOfPath(route.path) }),
    methodsOf(path) {
      const fitting = routes.filter(({ pattern }) => pattern.test(path));
      const own = fitting.filter(({ isFallback = false }) => !isFallback);
      const told = own.length > 0 ? own : fitting;
      // What another path takes as the value of a parameter is no method of this one.
      const [closest = ''] = told.map(({ openness }) => openness).toSorted();
      return [...new Set(told.filter(({ openness }) => openness === closest).map(({ method }) => method))];
    },
  };
}
