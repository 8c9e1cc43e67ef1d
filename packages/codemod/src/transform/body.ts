import { type Draw, pieceOf } from './draw.js';
import { type Piece } from './edits.js';
import { dotted } from './clients.js';
import { refuse } from './reasons.js';
import { isNothing } from './request.js';
import { annotationOf, constantInit, insideCast, knownType, typeKind, typeName } from './values.js';
import type { NodePath } from '@babel/traverse';

/** The kind of a body, which determines the content-type. */
export type BodyKind = 'none' | 'json' | 'form' | 'text' | 'json-text' | 'search' | 'unknown';

/** Reads the body. With `isLoose`, the endpoint still sends with axios, so any value is allowed. */
export function readBody(
  draw: Draw,
  isLoose = false,
): { kind: BodyKind; pieces: Piece[] | undefined } {
  const { body, method } = draw.request;
  // Null counts as no body, except with `isLoose`: interceptors of axios can distinguish the two.
  const isNull = body?.isNullLiteral() && !(isLoose && /^(POST|PUT|PATCH)$/.test(method));
  const none = body === undefined || isNothing(body.node) || isNull;
  if (none) {
    if (!/^(GET|HEAD|DELETE)$/.test(method)) draw.options.push('body: undefined');
    return { kind: 'none', pieces: undefined };
  }
  if (/^(GET|HEAD)$/.test(method)) refuse('config-option', '`data` of a request without a body');
  if (method === 'DELETE')
    draw.options.push(draw.module.typescript ? 'body: {} as unknown' : 'body: {}');
  const kind = isLoose ? 'unknown' : bodyKind(body);
  const piece = pieceOf(draw, body);
  // If the body is written in a config constant (`via`), the call reads it there: `config.data`.
  const { via } = draw.request;
  return { kind, pieces: [via !== undefined && typeof piece === 'string' ? `${via}.data` : piece] };
}

/**
 * Returns the kind of body that an expression results in. Refuses bodies that axios sends in its
 * own way.
 */
export function bodyKind(body: NodePath): BodyKind {
  if (body.isObjectExpression() || body.isArrayExpression()) return 'json';
  const made = body.isIdentifier() ? constantInit(body) : body;
  if (made?.isCallExpression() && dotted(made.node.callee) === 'JSON.stringify') return 'json-text';
  refuseBranches(body);
  const known = knownType(body);
  if (known === 'object' || known === 'array') return 'json';
  if (known === 'string') return 'text';
  if (known === 'number' || known === 'boolean')
    return refuse('body-not-json', 'a number or a boolean');
  const inside = insideCast(body);
  if (inside) return bodyKind(inside);
  const created = body.isNewExpression() ? body : constantInit(body);
  if (created?.isNewExpression()) return kindOfClass(dotted(created.node.callee));
  if (created?.isObjectExpression() || created?.isArrayExpression()) return 'json';
  if (body.isIdentifier()) {
    const binding = body.scope.getBinding(body.node.name);
    const type = binding && annotationOf(binding);
    if (type) {
      const name = typeName(type);
      if (name && !typeKind(type)) return kindOfClass(name);
      if (type.type === 'TSUnionType') return refuse('body-not-json', 'its type is a union');
    }
  }
  return 'unknown';
}

// Refuses a body with branches if one of them is known to be neither an object nor an array.
function refuseBranches(body: NodePath): void {
  const odd = branchesOf(body).some((one) => {
    const known = knownType(one);
    return known !== undefined && !/^(object|array)$/.test(known);
  });
  if (odd) refuse('body-not-json', 'it is null or a text in one case');
}

// Returns the expressions that a body may be. Empty if the body is always the same expression.
function branchesOf(body: NodePath): NodePath[] {
  if (body.isConditionalExpression())
    return [body.get('consequent'), body.get('alternate')].flatMap(withBranches);
  if (body.isLogicalExpression())
    return [...(body.node.operator === '&&' ? [] : [body.get('left')]), body.get('right')].flatMap(
      withBranches,
    );
  const inside = insideCast(body);
  if (inside) return branchesOf(inside);
  const binding = body.isIdentifier() ? body.scope.getBinding(body.node.name) : undefined;
  const declared = binding?.path;
  if (!binding || !declared?.isVariableDeclarator() || declared.node.id.type !== 'Identifier')
    return [];
  const init = declared.get('init');
  if (binding.constant) return init.isExpression() ? branchesOf(init) : [];
  const assigned = binding.constantViolations.flatMap((path) =>
    path.isAssignmentExpression({ operator: '=' }) ? withBranches(path.get('right')) : [],
  );
  return init.isExpression() ? [...withBranches(init), ...assigned] : assigned;
}

const withBranches = (path: NodePath): NodePath[] => [path, ...branchesOf(path)];

function kindOfClass(name: string): BodyKind {
  if (name === 'FormData') return 'form';
  if (name === 'URLSearchParams') return 'search';
  if (
    /^(Blob|File|ArrayBuffer|Buffer|\w+Array|DataView|ReadableStream|\w*Stream|Date|HTMLFormElement)$/.test(
      name,
    )
  )
    return name === 'Array' || name === 'ReadonlyArray' ? 'json' : refuse('body-not-json', name);
  return 'json';
}
