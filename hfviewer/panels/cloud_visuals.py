"""What vispy draws of a point cloud: the grid's picture, and the points as squares with one number each.

Colours come from a table of 256 texels by a number per point: other limits are a uniform and another colour
map is a small texture, neither sends the points again. Where each point has a colour of its own, the number
is that colour, ``0xRRGGBB``: whole numbers up to 2²⁴ fit. The same arithmetic as in `cloud_splat` and
`cloud_colour.shade` puts every square on the same pixels in the same colour.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from vispy import gloo, visuals

from hfviewer.panels.cloud_camera import NEAR_M
from hfviewer.panels.cloud_colour import Shading
from hfviewer.panels.cloud_look import CloudLook
from hfviewer.panels.drawing import STALE_OPACITY

# Shaders cannot be relied on to know a NaN or an infinity: these stand for both.
_LARGEST, _MISSING = 1e30, 3e38

_FADED = f"""
uniform float u_stale;
uniform vec3 u_ground;
vec3 faded(vec3 colour) {{
    // Luminance, as when Qt turns a picture grey.
    float grey = pow(dot(pow(colour, vec3(2.2)), vec3(0.2126, 0.7152, 0.0722)), 1.0 / 2.2);
    return u_stale > 0.5 ? mix(u_ground, vec3(grey), {STALE_OPACITY}) : colour;
}}
"""

_POINTS_VERTEX = f"""
attribute vec3 a_position;
attribute float a_value;
uniform mat4 u_pixels_from_sensor;
uniform vec2 u_size;
uniform float u_point_px;
uniform vec2 u_limits;
uniform float u_steps_per_value;
uniform float u_own;
varying float v_step;
varying float v_missing;
varying vec3 v_own;

void main() {{
    vec4 place = u_pixels_from_sensor * vec4(a_position, 1.0);
    vec2 corner = floor(place.xy / place.w);
    bool shows = place.z > {NEAR_M} && all(lessThan(abs(a_position), vec3(1e12)))
        && all(greaterThanEqual(corner, vec2(0.0))) && all(lessThanEqual(corner, u_size - u_point_px));
    // Equal ratios of depth are equally far apart: fine enough near by, and without a far end.
    float depth = log2(max(place.z, {NEAR_M}) / {NEAR_M}) / 64.0 - 1.0;
    vec2 middle = (corner + 0.5 * u_point_px) / u_size * 2.0 - 1.0;
    gl_Position = shows ? vec4(middle.x, -middle.y, depth, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = u_point_px;
    v_missing = a_value > 2e38 ? 1.0 : 0.0;
    v_own = vec3(floor(a_value / 65536.0), floor(mod(a_value, 65536.0) / 256.0), mod(a_value, 256.0)) / 255.0;
    v_step = floor(min((clamp(a_value, u_limits.x, u_limits.y) - u_limits.x) * u_steps_per_value, 255.0));
}}
"""

_POINTS_FRAGMENT = (
    """
uniform sampler2D u_table;
uniform vec3 u_missing;
uniform float u_own;
varying float v_step;
varying float v_missing;
varying vec3 v_own;
"""
    + _FADED
    + """
void main() {
    vec3 colour = texture2D(u_table, vec2((v_step + 0.5) / 256.0, 0.5)).rgb;
    colour = u_own > 0.5 ? v_own : v_missing > 0.5 ? u_missing : colour;
    gl_FragColor = vec4(faded(colour), 1.0);
}
"""
)

_BACKDROP_VERTEX = """
attribute vec2 a_corner;
varying vec2 v_place;
void main() {
    v_place = vec2(a_corner.x, 1.0 - a_corner.y);
    gl_Position = vec4(a_corner * 2.0 - 1.0, 0.0, 1.0);
}
"""

_BACKDROP_FRAGMENT = (
    """
uniform sampler2D u_picture;
varying vec2 v_place;
"""
    + _FADED
    + """
void main() {
    gl_FragColor = vec4(faded(texture2D(u_picture, v_place).bgr), 1.0);
}
"""
)


class PointsVisual(visuals.Visual):  # type: ignore[misc]  # vispy has no types: its classes are Any
    """Points as squares, near ones over far ones."""

    def __init__(self) -> None:
        super().__init__(vcode=_POINTS_VERTEX, fcode=_POINTS_FRAGMENT)
        self.unfreeze()
        self._positions = gloo.VertexBuffer(np.zeros((1, 3), np.float32))
        self._values = gloo.VertexBuffer(np.zeros(1, np.float32))
        self._table = gloo.Texture2D(np.zeros((1, 256, 3), np.uint8), interpolation="nearest")
        self._sent: Shading | None = None
        self.count = 0
        self.freeze()
        self.shared_program["a_position"] = self._positions
        self.shared_program["a_value"] = self._values
        self.shared_program["u_table"] = self._table
        self.set_gl_state(preset=None, depth_test=True, blend=False, cull_face=False)
        self._draw_mode = "points"

    def release(self) -> None:
        """Give back what it holds on the GPU, at the next flush."""
        for held in (self._positions, self._values, self._table, self.view_program):
            held.delete()

    def set_positions(self, xyz: NDArray[np.float32]) -> None:
        """float32 N×3, metres, finite; N ≥ 1. Values must follow."""
        self._positions.set_data(np.ascontiguousarray(xyz, np.float32))
        self._sent = None
        self.count = len(xyz)

    def set_shading(self, shading: Shading) -> None:
        """Colour the points, sending only what differs from the last time."""
        sent, program = self._sent, self.shared_program
        if sent is None or sent.values is not shading.values or sent.own is not shading.own:
            own = shading.own
            drawable = _drawable(shading.values, self.count) if own is None else _as_numbers(own)
            self._values.set_data(drawable)
        if sent is None or sent.table is not shading.table:
            self._table.set_data(_rgb(shading.table)[None])
        low, high = (float(np.clip(limit, -_LARGEST, _LARGEST)) for limit in shading.limits)
        program["u_limits"] = (low, high)
        program["u_steps_per_value"] = 255.0 / max(high - low, 1e-9)
        program["u_own"] = float(shading.own is not None)
        program["u_missing"] = tuple(_rgb(np.array([shading.missing], np.uint32))[0] / 255.0)
        self._sent = shading

    def set_look(self, look: CloudLook) -> None:
        """Look from there."""
        program = self.shared_program
        program["u_pixels_from_sensor"] = look.matrix.T.astype(np.float32)  # GL counts by columns
        program["u_size"] = look.device
        program["u_point_px"] = float(look.point_device_px)
        _set_fading(self, look)

    def _prepare_transforms(self, view: visuals.Visual) -> None:
        """Nothing: the camera is ours, not vispy's."""


class BackdropVisual(visuals.Visual):  # type: ignore[misc]  # vispy has no types: its classes are Any
    """A picture over the whole canvas, behind everything."""

    def __init__(self) -> None:
        super().__init__(vcode=_BACKDROP_VERTEX, fcode=_BACKDROP_FRAGMENT)
        self.unfreeze()
        self._picture = gloo.Texture2D(np.zeros((1, 1, 4), np.uint8), interpolation="nearest")
        self._corners = gloo.VertexBuffer(np.array([(0, 0), (1, 0), (0, 1), (1, 1)], np.float32))
        self.freeze()
        self.shared_program["a_corner"] = self._corners
        self.shared_program["u_picture"] = self._picture
        self.set_gl_state(preset=None, depth_test=False, blend=False, cull_face=False)
        self._draw_mode = "triangle_strip"

    def release(self) -> None:
        """Give back what it holds on the GPU, at the next flush."""
        for held in (self._corners, self._picture, self.view_program):
            held.delete()

    def set_picture(self, bgra: NDArray[np.uint8]) -> None:
        """uint8 H×W×4, blue first, row 0 on top."""
        self._picture.set_data(bgra)

    def set_look(self, look: CloudLook) -> None:
        """Grey out, or not."""
        _set_fading(self, look)

    def _prepare_transforms(self, view: visuals.Visual) -> None:
        """Nothing: it covers the canvas."""


def _set_fading(visual: visuals.Visual, look: CloudLook) -> None:
    visual.shared_program["u_stale"] = float(look.stale)
    visual.shared_program["u_ground"] = (look.ground.redF(), look.ground.greenF(), look.ground.blueF())


def _drawable(values: NDArray[np.float32] | None, count: int) -> NDArray[np.float32]:
    """float32[count], contiguous, without NaN and infinities."""
    if values is None:
        return np.zeros(count, np.float32)
    drawable = np.clip(values, -_LARGEST, _LARGEST, dtype=np.float32)
    drawable[np.isnan(values)] = _MISSING
    return np.ascontiguousarray(drawable)


def _as_numbers(colours: NDArray[np.uint32]) -> NDArray[np.float32]:
    """float32[n], ``0xRRGGBB`` of ``0xAARRGGBB``."""
    return (colours & np.uint32(0xFFFFFF)).astype(np.float32)


def _rgb(colours: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """uint8 n×3 of uint32[n] ``0xAARRGGBB``."""
    return np.stack([(colours >> shift) & 0xFF for shift in (16, 8, 0)], axis=1).astype(np.uint8)
