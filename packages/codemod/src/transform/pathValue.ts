import type { NodePath } from '@babel/traverse';
import type { Node } from '@babel/types';
import { propertyName, specifierName } from './clients.js';
import { declarationOf } from './declared.js';
import { type Draw, type Entry, pieceOf } from './draw.js';
import type { Module } from './module.js';
import { annotationOf, insideCast, knownType, typeKind, typeName } from './values.js';

/**
 * Returns the argument for a value in a URL. Axios puts the text of any value there, but an
 * endpoint takes only texts and numbers. Other values, such as a date, are converted to the same
 * text.
 */
export function argumentFor(
  draw: Draw,
  name: string,
  value: NodePath,
  isText: boolean = holdsText(draw.module, value),
): Entry {
  const piece = pieceOf(draw, value);
  if (!isText) return { key: name, pieces: [`${name}: \`\${`, piece, '}`'] };
  const short = value.isIdentifier() && value.node.name === name;
  return { key: name, pieces: short ? [piece] : [`${name}: `, piece] };
}

/** Returns true if a value is known to be a string or a number. */
export function isTextual(value: NodePath): boolean {
  const binding = value.isIdentifier() ? value.scope.getBinding(value.node.name) : undefined;
  return binding?.identifier.optional !== true && /^(string|number)$/.test(knownType(value) ?? '');
}

// Returns true if a value needs no conversion to text, or has no written type.
function holdsText(module: Module, value: NodePath): boolean {
  if (isTextual(value)) return true;
  const inside = insideCast(value);
  const cast = inside && 'typeAnnotation' in value.node ? value.node.typeAnnotation : undefined;
  if (cast) return isTextType(module, cast as Node, false);
  const isPresent = value.isTSNonNullExpression();
  const written = writtenType(module, inside ?? value);
  if (!written) return true;
  return (isPresent || !written.isOptional) && isTextType(module, written.type, isPresent);
}

interface Written {
  readonly type: Node;
  readonly isOptional: boolean;
}

// Returns the declared type of a value such as `name` or `name.member`.
function writtenType(module: Module, value: NodePath): Written | undefined {
  if (value.isIdentifier()) {
    const binding = value.scope.getBinding(value.node.name);
    const type = binding && annotationOf(binding);
    return type && { type, isOptional: binding.identifier.optional === true };
  }
  if (!value.isMemberExpression()) return undefined;
  const name = propertyName(value.node);
  const owner = writtenType(module, value.get('object'));
  return owner && name !== undefined ? memberOf(module, owner.type, name) : undefined;
}

function memberOf(module: Module, type: Node, name: string): Written | undefined {
  if (type.type === 'TSParenthesizedType') return memberOf(module, type.typeAnnotation, name);
  const declared = declarationOf(module, typeName(type) ?? '');
  // An alias of an alias is not followed, because aliases could be circular.
  if (declared?.type === 'TSTypeAliasDeclaration')
    return declared.typeAnnotation.type === 'TSTypeLiteral'
      ? memberOf(module, declared.typeAnnotation, name)
      : undefined;
  const members =
    declared?.type === 'TSInterfaceDeclaration'
      ? declared.body.body
      : type.type === 'TSTypeLiteral'
        ? type.members
        : [];
  for (const member of members) {
    if (member.type !== 'TSPropertySignature' || specifierName(member.key) !== name) continue;
    const written = member.typeAnnotation?.typeAnnotation;
    return written && { type: written, isOptional: member.optional === true };
  }
  return undefined;
}

// Returns true for `any`, and for a type that allows only texts and numbers. `isPresent` means that
// the value is not null or undefined. A type without a known declaration may allow more.
function isTextType(module: Module, type: Node, isPresent: boolean): boolean {
  const kind = typeKind(type);
  if (kind) return /^(string|number)$/.test(kind) || (isPresent && kind === 'nullish');
  if (type.type === 'TSAnyKeyword') return true;
  if (type.type === 'TSParenthesizedType')
    return isTextType(module, type.typeAnnotation, isPresent);
  if (type.type === 'TSUnionType')
    return type.types.every((one) => isTextType(module, one, isPresent));
  if (type.type === 'TSLiteralType') return type.literal.type === 'TemplateLiteral';
  const found = declarationOf(module, typeName(type) ?? '');
  return (
    found?.type === 'TSEnumDeclaration' ||
    (found?.type === 'TSTypeAliasDeclaration' &&
      found.typeAnnotation.type !== 'TSTypeReference' &&
      isTextType(module, found.typeAnnotation, isPresent))
  );
}
