/**
 * Fixtures for tests, a provider that responds from them, and hooks that run without a component.
 *
 * @module restitch/testing
 */
export type { ErrorFixture, Fixture, Fixtures, FixtureValue, ResponseFixture } from './Fixture.js';
export type { HookResult } from './HookResult.js';
export { mockFixtures } from './mockFixtures.js';
export { MockProvider } from './MockProvider.js';
export type { MockProviderProps } from './MockProvider.js';
export { renderDataHook } from './renderDataHook.js';
export type { RenderDataHookOptions, RenderedDataHook } from './renderDataHook.js';
